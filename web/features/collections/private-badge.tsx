import Lock from 'lucide-react/icons/lock'
import { Badge } from '../../ui/chip.tsx'

export function PrivateBadge() {
  return (
    <Badge>
      <Lock className="size-3.5" />
      Private
    </Badge>
  )
}
