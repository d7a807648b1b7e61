import type { ComponentType } from 'react'

/**
 * An icon of lucide-react, imported from its own file (`lucide-react/icons/bell`) so that a page loads only the icons it
 * shows. Icons are hidden from screen readers unless they get a label; base.css sets their stroke width.
 */
export type IconComponent = ComponentType<{ className?: string }>
