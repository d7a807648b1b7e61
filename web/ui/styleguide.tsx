import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import Trash2 from 'lucide-react/icons/trash'
import { type ReactNode, useState } from 'react'
import { Button, type ButtonTone, IconButton } from './button.tsx'
import { Badge, chipClass } from './chip.tsx'
import { ChoiceCards } from './choice-cards.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { EmptyState } from './empty-state.tsx'
import { Checkbox, Field, Input, Textarea } from './field.tsx'
import { FileDrop } from './file-drop.tsx'
import { Pager } from './pager.tsx'
import { Progress } from './progress.tsx'
import { SearchField } from './search-field.tsx'
import { Select } from './select.tsx'
import { SkeletonCard } from './skeleton.tsx'
import { Switch } from './switch.tsx'
import { LinkTabs, TabPanel, Tabs, tabClass } from './tabs.tsx'
import { ThumbnailFrame } from './thumbnail-frame.tsx'
import { toast } from './toast.tsx'

const roles = [
  'surface',
  'surface-sunken',
  'surface-raised',
  'surface-hover',
  'line',
  'line-strong',
  'text',
  'text-quiet',
  'accent',
  'accent-ink',
  'danger',
  'success',
]
const sizes = [
  'text-12',
  'text-13',
  'text-14',
  'text-16',
  'text-20',
  'text-25',
  'text-31',
  'text-39',
  'text-49',
]
const tones: ButtonTone[] = ['accent', 'plain', 'quiet', 'danger']

/** Shows every component of the design system in both themes. Development only. */
export function Styleguide() {
  return (
    <div className="grid xl:grid-cols-2">
      <Specimen theme="dark" />
      <Specimen theme="light" />
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4">
      <h2 className="text-13 font-medium text-quiet">{title}</h2>
      {children}
    </section>
  )
}

function Specimen({ theme }: { theme: 'dark' | 'light' }) {
  const [tab, setTab] = useState<'one' | 'two'>('one')
  const [on, setOn] = useState(true)
  const [dialog, setDialog] = useState<'normal' | 'wide' | 'side' | null>(null)
  return (
    <div
      className={`flex flex-col gap-12 bg-surface p-8 text-ink ${theme === 'dark' ? 'scheme-dark' : 'scheme-light'}`}
    >
      <h1 className="font-display text-39 font-bold">{theme}</h1>
      <Group title="Colours">
        <ul className="grid grid-cols-3 gap-3 sm:grid-cols-6">
          {roles.map((role) => (
            <li key={role} className="text-12">
              <svg
                aria-hidden="true"
                viewBox="0 0 10 6"
                className="w-full rounded-control border border-line"
              >
                <rect width="10" height="6" fill={`var(--${role})`} />
              </svg>
              {role}
            </li>
          ))}
        </ul>
      </Group>
      <Group title="Type">
        {sizes.map((size) => (
          <p key={size} className={`font-display font-bold ${size}`}>
            {size} Quiet dark cinema
          </p>
        ))}
      </Group>
      <Group title="Buttons">
        {tones.map((tone) => (
          <div key={tone} className="flex flex-wrap items-center gap-3">
            <Button tone={tone} size="sm">
              Small
            </Button>
            <Button tone={tone}>
              <Plus className="size-4" /> {tone}
            </Button>
            <Button tone={tone} size="lg">
              Large
            </Button>
            <Button tone={tone} disabled>
              Disabled
            </Button>
            <Button tone={tone} busy busyText="Saving...">
              Save
            </Button>
            <IconButton tone={tone} label="Delete">
              <Trash2 className="size-4" />
            </IconButton>
          </div>
        ))}
      </Group>
      <Group title="Fields">
        <Field label="Title" hint="As it should be found" required>
          <Input defaultValue="Big Buck Bunny" />
        </Field>
        <Field label="Source URL" error="Enter a valid URL.">
          <Input type="url" defaultValue="htp:/nowhere" />
        </Field>
        <Field label="Collection">
          <Select>
            <option>My Vault</option>
          </Select>
        </Field>
        <Field label="Description">
          <Textarea placeholder="What is it about?" />
        </Field>
        <SearchField label="Search" placeholder="Search" />
        <Checkbox label="Keep me logged in for a week" defaultChecked hint="On your own device only" />
      </Group>
      <Group title="Choices and progress">
        <Switch
          label="Someone follows you"
          hint="Changes save automatically"
          checked={on}
          onChange={() => setOn(!on)}
        />
        <ChoiceCards
          label="Size"
          name={`${theme}-size`}
          value={tab}
          onChange={setTab}
          choices={[
            { value: 'one', label: 'One', hint: 'The first' },
            { value: 'two', label: 'Two', hint: 'The other' },
          ]}
          className="sm:grid-cols-2"
        />
        <Progress label="Putting it together" done={1240} total={3301} />
        <FileDrop label="Choose a file" text="or drop it here" accept="*" busy={false} onFile={() => {}} />
        <div>
          <CopyButton text="Quiet dark cinema" />
        </div>
      </Group>
      <Group title="Tabs and pages">
        <LinkTabs label="Links">
          <Link to="." className={tabClass(true)}>
            Here
          </Link>
          <Link to="." className={tabClass(false)}>
            There
          </Link>
        </LinkTabs>
        <Tabs
          label="Panels"
          idBase={theme}
          value={tab}
          onChange={setTab}
          tabs={[
            { id: 'one', label: 'One' },
            { id: 'two', label: 'Two' },
          ]}
        />
        {(['one', 'two'] as const).map((id) => (
          <TabPanel key={id} idBase={theme} id={id} active={tab === id}>
            Panel {id}
          </TabPanel>
        ))}
        <Pager page={2} pages={12} linkTo={() => ({ to: '.' })} />
      </Group>
      <Group title="Marks">
        <div className="flex flex-wrap gap-2">
          <Badge>Beta</Badge>
          <Badge tone="accent">New</Badge>
          <Badge tone="success">Verified</Badge>
          <Badge tone="danger">Hidden pending review</Badge>
          <span className={chipClass}>
            <Search className="size-3.5" /> tag
          </span>
        </div>
      </Group>
      <Group title="Pictures">
        <div className="grid grid-cols-3 gap-4">
          <ThumbnailFrame src={null} title="Cosmos Laundromat" className="rounded-card" />
          <ThumbnailFrame src={null} title="Sintel" className="rounded-card" />
          <SkeletonCard />
        </div>
        <EmptyState title="No bookmarks yet" text="The first one will appear here.">
          <Button tone="accent">Add Bookmark</Button>
        </EmptyState>
      </Group>
      <Group title="Dialogs and toasts">
        <div className="flex flex-wrap gap-2">
          {(['normal', 'wide', 'side'] as const).map((kind) => (
            <Button key={kind} onClick={() => setDialog(kind)}>
              Dialog, {kind}
            </Button>
          ))}
          <Button
            onClick={() => toast('Saved.', { tone: 'success', action: { label: 'Undo', run: () => {} } })}
          >
            Toast
          </Button>
        </div>
        <Dialog
          open={dialog !== null}
          onClose={() => setDialog(null)}
          kind={dialog ?? 'normal'}
          title="Delete this bookmark?"
          description="You can undo this for ten seconds."
          actions={
            <>
              <Button onClick={() => setDialog(null)}>Cancel</Button>
              <Button tone="danger" onClick={() => setDialog(null)}>
                Delete
              </Button>
            </>
          }
        >
          <Field label="Why">
            <Input />
          </Field>
        </Dialog>
      </Group>
    </div>
  )
}
