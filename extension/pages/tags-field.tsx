import * as limits from '@reelmark/contract/protocol/limits.ts'
import { missingTags, replaceTagAtCaret, tagAtCaret } from '@reelmark/contract/tag-text.ts'
import { listOwnTags } from '@reelmark/contract/tags.ts'
import { chipClass } from '@reelmark/web/ui/chip.tsx'
import { Field, Input } from '@reelmark/web/ui/field.tsx'
import { useDebouncedValue } from '@reelmark/web/ui/use-debounced-value.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useRef } from 'react'
import { api } from '../api.ts'

const maxSuggested = 8

interface TagsFieldProps {
  line: string
  onChange: (line: string) => void
  problem: string | null
  /** Suggested before anything is typed. */
  keywords: readonly string[]
  isConnected: boolean
}

/**
 * The field for tags, with suggestions as buttons below it: keywords of the page and the user's own tags that contain what
 * is typed. A popup has no room for a list over the fields below.
 */
export function TagsField({ line, onChange, problem, keywords, isConnected }: TagsFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const { text } = tagAtCaret(line, line.length)
  const requested = useDebouncedValue(text.slice(0, limits.tagMax), 150)
  const { data: own = [] } = useQuery({
    queryKey: ['own-tags', requested],
    queryFn: async () => {
      const query = { sort: 'most_used', page_size: 20, ...(requested !== '' && { q: requested }) } as const
      const { results } = await api(listOwnTags, { query })
      return results.map(({ name }) => name)
    },
    enabled: isConnected,
    placeholderData: keepPreviousData,
  })
  const names = [...new Set([...keywords, ...own])].filter((name) => name.includes(text.toLowerCase()))
  const suggested = missingTags(line, names).slice(0, maxSuggested)

  function add(name: string): void {
    onChange(replaceTagAtCaret(line, line.length, name).line)
    input.current?.focus()
  }

  return (
    <div className="flex flex-col gap-2">
      <Field label="Tags" hint="Optional. Separate tags with commas." error={problem}>
        <Input
          ref={input}
          name="tags"
          value={line}
          autoComplete="off"
          autoCapitalize="none"
          onChange={({ target }) => onChange(target.value)}
        />
      </Field>
      {suggested.length > 0 && (
        <ul aria-label="Suggested tags" className="flex flex-wrap gap-1.5">
          {suggested.map((name) => (
            <li key={name} className="max-w-full">
              <button type="button" className={chipClass} onClick={() => add(name)}>
                <Plus className="size-3.5 shrink-0" />
                <span className="truncate">{name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
