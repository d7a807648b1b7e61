import Lock from 'lucide-react/icons/lock'

/** The lock next to the name of something that only its owner sees. */
export function PrivateMark() {
  return <Lock role="img" aria-label="Private" className="size-3.5 shrink-0" />
}
