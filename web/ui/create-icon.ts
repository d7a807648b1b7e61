import { createElement, type SVGProps } from 'react'

/** The shapes of an icon: names of SVG elements with their attributes. */
type Shapes = [element: string, attributes: Record<string, string>][]

/**
 * Returns a component for an icon of lucide-react. In builds it replaces the library's own function
 * (web/build/small-icons-plugin.ts), which has options that we do not use.
 */
export function createIcon({ node }: { node: Shapes }) {
  return function Icon({ className, ...attributes }: SVGProps<SVGSVGElement>) {
    return createElement(
      'svg',
      {
        width: 24,
        height: 24,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': attributes['aria-label'] === undefined ? true : undefined,
        ...attributes,
        className: `lucide ${className ?? ''}`,
      },
      ...node.map(([element, shape]) => createElement(element, shape)),
    )
  }
}
