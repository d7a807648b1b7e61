import { toast } from '../../../ui/toast.tsx'

/** Says that code of the player could not be loaded. Browsers remember that until the page is loaded again. */
export function reportFailedCode(): void {
  toast("Couldn't load the player. Check your connection and try again.", {
    tone: 'danger',
    action: { label: 'Try again', run: () => window.location.reload() },
  })
}
