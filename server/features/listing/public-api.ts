/** What other areas may import from `listing`: re-exports only. */
export { listingReply } from './routes.ts'
export { importSmartCollections, type SmartCollectionImport } from './smart-collections/import.ts'
