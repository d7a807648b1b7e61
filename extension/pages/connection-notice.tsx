import { Button } from '@reelmark/web/ui/button.tsx'
import { Notice } from '@reelmark/web/ui/notice.tsx'
import { browser } from '../browser.ts'
import { productName } from '../names.ts'
import type { Connection } from '../stored.ts'

/** Asks the user to connect, or to connect again. */
export function ConnectionNotice({ connection }: { connection: Connection | null }) {
  return (
    <Notice tone="info" title={connection === null ? `Connect to your ${productName} site` : 'Connect again'}>
      <p className="text-quiet">
        {connection === null
          ? 'Enter its address once. Then you can save videos from any page.'
          : `${new URL(connection.site).host} no longer accepts this connection. Saves that weren't sent are still here.`}
      </p>
      <Button tone="accent" className="mt-2 self-start" onClick={() => void openOptions()}>
        {connection === null ? 'Connect' : 'Connect again'}
      </Button>
    </Notice>
  )
}

export async function openOptions(): Promise<void> {
  await browser.runtime.openOptionsPage()
  window.close()
}
