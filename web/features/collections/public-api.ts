/** What other areas may import from `collections`. See web/build/shared-chunks-plugin.ts for what pages load of it. */
export { ContainerTile } from './container-tile.tsx'
export { loadOwnerCollectionsActions } from './lazy-components.ts'
export { PrivateBadge } from './private-badge.tsx'
export { collectionsQuery } from './queries.ts'
