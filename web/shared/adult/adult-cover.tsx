import EyeOff from 'lucide-react/icons/eye-off'
import { hueClass } from '../../ui/placeholder.tsx'

/** Replaces an adult thumbnail, which is not loaded. */
export function AdultCover({ title }: { title: string }) {
  return (
    <>
      <div aria-hidden="true" className={`adult-cover ${hueClass(title)}`} />
      <span className="absolute inset-0 flex items-center justify-center gap-1.5 text-13 font-medium text-picture-ink">
        <EyeOff className="size-4" />
        18+
      </span>
    </>
  )
}
