/** Components for other areas that are loaded when they are first shown. */

export const loadOwnerCollectionsActions = () =>
  import('./owner-collections-actions.tsx').then((module) => module.OwnerCollectionsActions)

export const loadNewContainerDialog = () =>
  import('./new-container-dialog.tsx').then((module) => module.NewContainerDialog)

export const loadShareDialog = () => import('./share-dialog.tsx').then((module) => module.ShareDialog)

export const loadContainerHeader = () =>
  import('./container-header.tsx').then((module) => module.ContainerHeader)

export const loadSmartTiles = () => import('./smart/smart-tiles.tsx').then((module) => module.SmartTiles)

export const loadSaveSearch = () => import('./smart/save-search.tsx').then((module) => module.SaveSearch)

export const loadFollowContainer = () =>
  import('./follows/follow-container.tsx').then((module) => module.FollowContainer)
