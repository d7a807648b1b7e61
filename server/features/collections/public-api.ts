/** What other areas may import from `collections`: re-exports only. */
export { deleteContainer } from './delete-container.ts'
export {
  type Destination,
  type DestinationInput,
  invalidPkMessage,
  joinCover,
  lockOwnCollections,
  lockOwnDestination,
  lockWatchLater,
  profileCollectionsJson,
  unknownDestinationError,
} from './destination-queries.ts'
export { screenContainer } from './screen-containers.ts'
export { requireOwnCollection } from './write-queries.ts'
