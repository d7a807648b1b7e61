/** Components for other areas that are loaded when they are first shown. */

export const loadUserMenu = () => import('./blocks/user-menu.tsx').then((module) => module.UserMenu)
