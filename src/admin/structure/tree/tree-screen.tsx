import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { localesOf, useProject } from '../../api/project-data.js';
import { PlaceContext } from '../../editor/place.js';
import { localeName, t } from '../../texts/index.js';
import { Icon } from '../../ui/icon.js';
import { Empty, Failed, Loading } from '../../ui/states.js';
import { NewNodeDialog } from './new-node-dialog.js';
import { EditNodeDialog } from './edit-node-dialog.js';
import { GLOBAL_TREE, type TreeNode, type TreeView, refreshTree } from './tree-data.js';
import { TreeList } from './tree-list.js';
import { NodeBar, type NodeTask } from './node-bar.js';
import { activeRow } from './tree-rows.js';
import { useNodeMoves, useTree } from './use-node-moves.js';
import { client } from '../../api/client.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { useCall } from '../../api/use-call.js';
import { FormRefusal } from './node-fields.js';

interface Props {
  readonly node: TreeNode;
  readonly onClose: () => void;
}

const fates = ['lift', 'delete'] as const;
type Fate = (typeof fates)[number];

/** Entries stay; what happens to the nodes below is chosen. */
function DeleteNodeDialog({ node, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const [children, setChildren] = useState<Fate>('lift');
  const { isBusy, failure, run } = useCall();
  const remove = (): Promise<void> =>
    run(async () => {
      await client.tree.deleteNode.mutate({
        projectSlug,
        id: node.id,
        ...(node.childCount > 0 && { children }),
      });
      await refreshTree();
      notify(t('tree.deleted', { name: node.name }));
      onClose();
    });
  return (
    <Dialog onClose={onClose} title={t('tree.delete', { name: node.name })}>
      <p>{t(node.type === 'page' ? 'tree.deletePage' : 'tree.deleteHint')}</p>
      {node.childCount > 0 && (
        <fieldset className="field">
          <legend className="label">{t('tree.below', { count: node.childCount })}</legend>
          {fates.map((fate) => (
            <label className="row tight" key={fate}>
              <input
                checked={fate === children}
                name="children"
                onChange={() => setChildren(fate)}
                type="radio"
                value={fate}
              />
              {t(`tree.children.${fate}`)}
            </label>
          ))}
        </fieldset>
      )}
      <FormRefusal failure={failure} keys={[]} />
      <DialogFooter disabled={isBusy} isDangerous onCancel={onClose} onRun={remove} run={t('tree.remove')} />
    </Dialog>
  );
}

interface Task {
  readonly task: NodeTask;
  /** Undefined: at the top. */
  readonly node?: TreeNode;
}

const operations = {
  add: 'tree.createNode',
  edit: 'tree.updateNode',
  delete: 'tree.deleteNode',
} as const;

interface TaskProps {
  readonly view: TreeView;
  readonly task: Task;
  readonly onClose: () => void;
  readonly onCreated: (node: TreeNode) => void;
}

function TaskDialog({ view, task: { task, node }, onClose, onCreated }: TaskProps) {
  if (task === 'add')
    return <NewNodeDialog onClose={onClose} onCreated={onCreated} parent={node} view={view} />;
  if (node === undefined) return null;
  return task === 'edit' ? (
    <EditNodeDialog node={node} onClose={onClose} />
  ) : (
    <DeleteNodeDialog node={node} onClose={onClose} />
  );
}

/** While the top of the tree is read, or when it could not be. */
function NoLevel({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return error === null ? <Loading /> : <Failed error={error} onRetry={onRetry} />;
}

function TreeBody({ view, label }: { readonly view: TreeView; readonly label: string }) {
  const { may, slug } = useProject();
  const tree = useTree(view);
  const [activeId, setActiveId] = useState<string>();
  const [task, setTask] = useState<Task>();
  const show = ({ id, parentId }: TreeNode): void => {
    if (parentId !== null) tree.open(parentId);
    setActiveId(id);
  };
  const { refusal, move } = useNodeMoves(slug, show);
  const top = tree.levels.get(null);
  const active = activeRow(tree.rows, activeId);
  const offer = (next: NodeTask, node: TreeNode): void => {
    if (may(operations[next])) setTask({ task: next, node });
  };
  return (
    <>
      <div className="filters row">
        {may('tree.createNode') && (
          <button className="button primary" onClick={() => setTask({ task: 'add' })} type="button">
            <Icon name="add" />
            {t('tree.new')}
          </button>
        )}
        {active !== undefined && <NodeBar node={active.node} onTask={offer} />}
        {may('tree.moveNode') && <p className="hint wide-only">{t('tree.keys')}</p>}
      </div>
      {top?.nodes === undefined && <NoLevel error={top?.error ?? null} onRetry={() => tree.retry(null)} />}
      {top?.nodes?.length === 0 && <Empty hint={t('tree.emptyHint')} title={t('tree.empty')} />}
      {top?.nodes !== undefined && top.nodes.length > 0 && (
        <TreeList
          active={active}
          canMove={may('tree.moveNode')}
          label={label}
          locale={view.locale}
          onMove={(node, place) => void move(node, place)}
          onSelect={setActiveId}
          onTask={offer}
          refusal={refusal}
          tree={tree}
        />
      )}
      {task !== undefined && (
        <TaskDialog onClose={() => setTask(undefined)} onCreated={show} task={task} view={view} />
      )}
    </>
  );
}

/** The tree of a site or the one of all sites, in one locale. */
export function TreeScreen() {
  const project = useProject();
  const { slug, sites } = project;
  const search = useSearch({ from: '/$project/$environment/tree' });
  const navigate = useNavigate({ from: '/$project/$environment/tree' });
  const siteSlug = search.site ?? sites[0]?.slug ?? GLOBAL_TREE;
  const site = sites.find((one) => one.slug === siteSlug);
  const locale = search.locale ?? site?.defaultLocale ?? localesOf(project)[0];
  const label = site?.name ?? t('tree.global');
  return (
    <div className="stack tight-stack">
      <header className="screen-head row">
        <h1 className="grow clip">{t('tree.title')}</h1>
        <select
          aria-label={t('list.site')}
          className="select compact"
          onChange={({ target }) => void navigate({ search: { ...search, site: target.value } })}
          value={siteSlug}
        >
          {sites.map((one) => (
            <option key={one.id} value={one.slug}>
              {one.name}
            </option>
          ))}
          <option value={GLOBAL_TREE}>{t('tree.global')}</option>
        </select>
        <select
          aria-label={t('list.locale')}
          className="select compact"
          onChange={({ target }) => void navigate({ search: { ...search, locale: target.value } })}
          value={locale}
        >
          {(site?.locales ?? localesOf(project)).map((one) => (
            <option key={one} value={one}>
              {localeName(one)}
            </option>
          ))}
        </select>
      </header>
      <PlaceContext value={{ siteId: site?.id ?? '', locale: locale ?? '' }}>
        <TreeBody
          key={`${siteSlug} ${locale ?? ''}`}
          label={label}
          view={{ projectSlug: slug, siteSlug, locale }}
        />
      </PlaceContext>
    </div>
  );
}
