const loadParts = () => import('./deferred-parts.ts').then((module) => module.deferredParts)

export const loadMoreActions = () => loadParts().then((parts) => parts.MoreActions)
export const loadOwnerFollow = () => loadParts().then((parts) => parts.OwnerFollow)
export const loadPrivateNote = () => loadParts().then((parts) => parts.PrivateNote)
export const loadWatchedFact = () => loadParts().then((parts) => parts.WatchedFact)
