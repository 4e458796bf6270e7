import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProject, type Asset } from '../../api/project-data.js';

interface Props {
  readonly asset: Pick<Asset, 'id'>;
  readonly className: string;
  readonly children: ReactNode;
}

export function AssetLink({ asset, className, children }: Props) {
  const { slug, environment } = useProject();
  return (
    <Link
      className={className}
      params={{ project: slug, environment, asset: asset.id }}
      to="/$project/$environment/media/$asset"
    >
      {children}
    </Link>
  );
}
