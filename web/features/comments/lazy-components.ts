/** Components for other areas that are loaded when they are first shown. */

export const loadCommentsSection = () =>
  import('./comments-section.tsx').then((module) => module.CommentsSection)
