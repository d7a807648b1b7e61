import EyeOff from 'lucide-react/icons/eye-off'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/button.tsx'
import { hueClass } from '../../ui/placeholder.tsx'
import { giveAdultConsent } from './adult-consent.ts'

/** Replaces an adult player until the visitor confirms their age. Fills the frame around it. */
export function AdultGate({ title }: { title: string }) {
  const gate = useRef<HTMLDivElement>(null)
  const confirm = () => {
    const frame = gate.current?.parentElement
    flushSync(giveAdultConsent)
    // The pressed button no longer exists, so the focus moves to the button that replaced it.
    frame?.querySelector('button')?.focus({ preventScroll: true })
  }
  return (
    <>
      <div aria-hidden="true" className={`adult-cover ${hueClass(title)}`} />
      <div
        ref={gate}
        className="absolute inset-0 flex flex-col items-center justify-center gap-4 bg-picture-shade p-4 text-center text-picture-ink"
      >
        <EyeOff className="size-8" />
        <p className="max-w-[40ch] text-14 sm:text-16">
          This video contains adult content. You must be 18 or older to watch it.
        </p>
        <Button tone="accent" onClick={confirm}>
          I'm 18 or older
        </Button>
      </div>
    </>
  )
}
