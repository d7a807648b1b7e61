import { expect, it } from 'vitest'
import { rewriteIconImports } from './lucide-deep-imports-plugin.ts'

const files = new Map([
  ['Bell', 'bell'],
  ['Trash2', 'trash'],
])

it('imports each icon from its own file', () => {
  expect(rewriteIconImports(`import { Bell, Trash2 as Bin } from "lucide-react";\nBell`, files)).toBe(
    "import Bell from 'lucide-react/icons/bell';import Bin from 'lucide-react/icons/trash';\nBell",
  )
})

it('fails the build for an icon that there is not', () => {
  expect(() => rewriteIconImports(`import { Bel } from 'lucide-react'`, files)).toThrow(
    'lucide-react has no icon Bel',
  )
})
