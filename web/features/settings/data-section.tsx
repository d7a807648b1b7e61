import { limits } from '@reelmark/contract/limits.ts'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { ExportsGroup } from './exports-group.tsx'
import { ImportGroup } from './import-group.tsx'
import { Group, Section } from './section.tsx'
import { WatchedGroup } from './watched-group.tsx'

/** Taking everything along, and bringing it in. */
export function DataSection() {
  return (
    <Section title="Data" lead="Your data belongs to you. Export it or import from another account.">
      <ExportsGroup />
      <ImportGroup />
      <WatchedGroup />
      <Group
        title="Trash"
        lead={`Deleted bookmarks can be restored for ${limits.trashDays} days.`}
        action={
          <Link to="/trash" className={buttonClass()}>
            Open trash
          </Link>
        }
      />
    </Section>
  )
}
