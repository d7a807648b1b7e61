/** Components for other areas that are loaded when they are first shown. */

export const loadUpNext = () => import('./watching/up-next.tsx').then((module) => module.UpNext)
