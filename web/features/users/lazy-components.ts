/** Components for other areas that are downloaded when they are first shown. */

export const loadUserMenu = () => import('./blocks/user-menu.tsx').then((module) => module.UserMenu)
