/** What other areas may import from `collections`. Only re-exports (see web/build/shared-chunks-plugin.ts). */
export {
  containerFromChannel,
  containerFromCollection,
  coverOfChannel,
  coverOfCollection,
} from './container.ts'
export { ContainerCover } from './container-cover.tsx'
export { containerListing } from './container-listing.ts'
export { ContainerTile } from './container-tile.tsx'
export { useFollowList } from './follows/use-follow-list.ts'
export {
  loadContainerHeader,
  loadFollowContainer,
  loadNewContainerDialog,
  loadOwnerCollectionsActions,
  loadSaveSearch,
  loadShareDialog,
  loadSmartTiles,
} from './lazy-components.ts'
export { channelQuery, collectionQuery, collectionsQuery } from './queries.ts'
export { smartCollectionsQuery } from './smart/queries.ts'
export { useCollectionNames } from './use-collection-names.ts'
