import { Lock } from 'lucide-react'
import { Badge } from '../../ui/chip.tsx'

export function PrivateBadge() {
  return (
    <Badge>
      <Lock aria-hidden="true" className="size-3.5" strokeWidth={1.75} />
      Private
    </Badge>
  )
}
