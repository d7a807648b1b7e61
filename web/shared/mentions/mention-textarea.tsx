import { type ComponentProps, type RefObject, useRef, useState } from 'react'
import { Textarea } from '../../ui/field.tsx'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'

const loadSuggestions = () => import('./mention-suggestions.tsx').then((module) => module.MentionSuggestions)

interface MentionTextareaProps extends ComponentProps<'textarea'> {
  ref?: RefObject<HTMLTextAreaElement | null>
  /** The video that is discussed, whose participants are suggested first. */
  videoId?: number
}

/** A text area in which `@name` mentions users. Once an `@` is typed, it suggests users. */
export function MentionTextarea({ ref, videoId, onChange, ...rest }: MentionTextareaProps) {
  const ownRef = useRef<HTMLTextAreaElement>(null)
  const field = ref ?? ownRef
  const [hasMention, setHasMention] = useState(false)
  const Suggestions = useDeferredComponent(hasMention, loadSuggestions)
  return (
    <div className="relative grid">
      <Textarea
        {...rest}
        ref={field}
        onChange={(event) => {
          if (event.target.value.includes('@')) setHasMention(true)
          onChange?.(event)
        }}
      />
      {Suggestions && <Suggestions field={field} videoId={videoId} />}
    </div>
  )
}
