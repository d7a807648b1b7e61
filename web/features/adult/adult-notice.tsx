import { EyeOff } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { confirmAdult } from './consent.ts'

/** Above a grid that holds covered pictures: says why, and takes the one confirmation. */
export function AdultNotice() {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-sunken py-2 pr-2 pl-4 text-14 text-quiet">
      <EyeOff aria-hidden="true" className="size-5 shrink-0" strokeWidth={1.75} />
      <p className="min-w-48 flex-1">Pictures of adult content are covered.</p>
      <Button size="sm" onClick={confirmAdult}>
        I am 18 or older, show them
      </Button>
    </div>
  )
}
