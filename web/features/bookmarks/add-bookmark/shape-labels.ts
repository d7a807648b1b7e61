import type { Shape } from '@reelmark/contract/protocol/fields.ts'

export const shapeLabels: Record<Shape, string> = {
  landscape: 'Landscape',
  portrait: 'Portrait',
  square: 'Square',
  unknown: 'Unknown',
}
