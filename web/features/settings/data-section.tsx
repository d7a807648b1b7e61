import { ExportsGroup } from './exports-group.tsx'
import { ImportGroup } from './import-group.tsx'
import { Section } from './section.tsx'
import { WatchedGroup } from './watched-group.tsx'

/** Taking everything along, and bringing it in. */
export function DataSection() {
  return (
    <Section
      title="Data"
      lead="What you keep here is yours: take all of it along, or bring it in from another account."
    >
      <ExportsGroup />
      <ImportGroup />
      <WatchedGroup />
    </Section>
  )
}
