import * as limits from '@reelmark/contract/protocol/limits.ts'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Lock from 'lucide-react/icons/lock'
import { useMemo, useState } from 'react'
import { useDefaultAccess } from '../../../shared/session/use-default-access.ts'
import { Button } from '../../../ui/button.tsx'
import { Combobox } from '../../../ui/combobox.tsx'
import {
  accessesFrom,
  createText,
  type Destination,
  destinationKey,
  isNewName,
  isSameDestination,
  matchByName,
  namedDestinations,
} from './destination.ts'
import type { OwnCollections } from './destination-fields.tsx'
import { useCreateDestination } from './use-create-destination.ts'

interface DestinationComboboxProps {
  destination: Destination
  onChange: (destination: Destination) => void
  collections: OwnCollections
  error?: string | readonly string[] | undefined
}

/** Chooses one of the viewer's collections or channels by typing. A name that no collection has can be created, public or private. */
export function DestinationCombobox({
  destination,
  onChange,
  collections: { list, loading, failed, retry },
  error,
}: DestinationComboboxProps) {
  const [text, setText] = useState<string | null>(null)
  const defaultAccess = useDefaultAccess()
  const creation = useCreateDestination(undefined, choose)
  const all = useMemo(() => namedDestinations(list), [list])
  const chosen = all.find((item) => isSameDestination(item, destination))
  const name = (text ?? '').trim()
  const found = text === null ? [] : matchByName(all, text)
  const isNew = !loading && !failed && isNewName(name, all)

  function choose({ collection, channel }: Destination): void {
    onChange({ collection, channel })
    setText(null)
  }

  const privateMark = <Lock aria-label="Private" className="size-3.5" />
  return (
    <div>
      <Combobox
        label="Collection"
        listLabel="Collections"
        name="collection"
        text={text}
        onTextChange={setText}
        choice={chosen?.name}
        options={[
          ...found.map((item) => ({
            key: destinationKey(item),
            text: item.name,
            mark: item.isPrivate && privateMark,
            onChoose: () => choose(item),
          })),
          ...(isNew
            ? accessesFrom(defaultAccess).map((access) => ({
                key: `new ${access}`,
                text: createText(name, access),
                icon: access === 'private' ? <Lock className="size-4" /> : <FolderPlus className="size-4" />,
                onChoose: () => void creation.run({ name: name.slice(0, limits.nameMax), access }),
              }))
            : []),
        ]}
        placeholder={loading ? 'Loading...' : (chosen?.name ?? 'Choose or type a new name')}
        maxLength={limits.nameMax * 2 + 3}
        required
        busy={loading || creation.busy}
        error={creation.errorText ?? (failed ? 'Failed to load collections.' : error)}
        hint={chosen?.isPrivate ? 'Private collection. Only you can see its bookmarks.' : undefined}
      />
      {failed && (
        <Button size="sm" className="mt-2" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}
