import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type DragEndEvent,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import type { ReactNode } from 'react';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { PresenceMark } from './presence-mark.js';

interface ItemProps {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  /** Shows the item with the handle that drags it. */
  readonly children: (handle: ReactNode) => ReactNode;
}

/** An item that is dragged by its handle, with a pointer or with Space and the arrow keys. */
export function SortableBlock({ id, name, path, children }: ItemProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id });
  const label = `${t('block.drag')}: ${name}`;
  return (
    <div
      aria-label={name}
      className={isDragging ? 'list-item dragged' : 'list-item'}
      data-path={path}
      ref={setNodeRef}
      role="group"
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <div className="grow">
        <PresenceMark isBlock path={path} />
        {children(
          <button
            {...attributes}
            {...listeners}
            aria-label={label}
            className="button icon plain drag-handle"
            ref={setActivatorNodeRef}
            title={label}
            type="button"
          >
            <Icon name="grip" />
          </button>,
        )}
      </div>
    </div>
  );
}

interface Props {
  readonly ids: readonly string[];
  readonly nameOf: (id: string) => string;
  readonly onMove: (from: number, to: number) => void;
  readonly children: ReactNode;
}

/** Items that change their order by being dragged. Each step is announced in words. */
export function SortableBlocks({ ids, nameOf, onMove, children }: Props) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const place = (id: string | number): number => ids.indexOf(String(id));
  const announce = (
    key: 'block.dragOver' | 'block.dropped',
    { active, over }: Pick<DragEndEvent, 'active' | 'over'>,
  ): string => t(key, { name: nameOf(String(active.id)), number: place(over?.id ?? active.id) + 1 });
  return (
    <DndContext
      accessibility={{
        announcements: {
          onDragStart: ({ active }) => t('block.picked', { name: nameOf(String(active.id)) }),
          onDragOver: (event) => announce('block.dragOver', event),
          onDragEnd: (event) => announce('block.dropped', event),
          onDragCancel: ({ active }) => t('block.dragCanceled', { name: nameOf(String(active.id)) }),
        },
        screenReaderInstructions: { draggable: t('block.dragHint') },
      }}
      collisionDetection={closestCenter}
      onDragEnd={({ active, over }) => {
        if (over !== null && over.id !== active.id) onMove(place(active.id), place(over.id));
      }}
      sensors={sensors}
    >
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}
