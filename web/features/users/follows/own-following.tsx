import { type ReactNode, useId, useState } from 'react'
import { TabPanel, Tabs } from '../../../ui/tabs.tsx'
import { FollowedLists } from './followed-lists.tsx'

const tabs = [
  { id: 'people', label: 'People' },
  { id: 'container', label: 'Collections' },
  { id: 'tag', label: 'Tags' },
] as const

/** Lists the people, collections, channels and tags that the viewer follows. Each tab is loaded when it is first shown. */
export function OwnFollowing({ users, onClose }: { users: ReactNode; onClose: () => void }) {
  const idBase = useId()
  const [tab, setTab] = useState<(typeof tabs)[number]['id']>('people')
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set([tab]))
  return (
    <div className="flex flex-col gap-4">
      <Tabs
        label="What you follow"
        tabs={tabs}
        value={tab}
        idBase={idBase}
        onChange={(id) => {
          setTab(id)
          setOpened(new Set([...opened, id]))
        }}
      />
      {tabs.map(({ id }) => (
        <TabPanel key={id} idBase={idBase} id={id} active={tab === id}>
          {id === 'people' ? users : opened.has(id) && <FollowedLists kind={id} onClose={onClose} />}
        </TabPanel>
      ))}
    </div>
  )
}
