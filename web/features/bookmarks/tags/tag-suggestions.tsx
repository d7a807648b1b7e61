import { addTag, missingTags } from '@reelmark/contract/tag-text.ts'
import Plus from 'lucide-react/icons/plus'
import { chipClass } from '../../../ui/chip.tsx'

interface TagSuggestionsProps {
  suggested: readonly string[]
  line: string
  onAdd: (line: string) => void
}

/** Offers suggested tags that the input does not contain. A click adds one. */
export function TagSuggestions({ suggested, line, onAdd }: TagSuggestionsProps) {
  const missing = missingTags(line, suggested)
  if (missing.length === 0) return null
  return (
    <ul aria-label="Suggestions" className="flex flex-wrap gap-1.5">
      {missing.map((tag) => (
        <li key={tag} className="max-w-full">
          <button type="button" className={chipClass} onClick={() => onAdd(addTag(line, tag))}>
            <Plus className="size-3.5 shrink-0" />
            <span className="truncate">{tag}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
