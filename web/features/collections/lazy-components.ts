/** Components for other areas that are loaded when they are first shown. */

export const loadOwnerCollectionsActions = () =>
  import('./owner-collections-actions.tsx').then((module) => module.OwnerCollectionsActions)
