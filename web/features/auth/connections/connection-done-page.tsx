import { useHydrated } from '@tanstack/react-router'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { AccountPage } from '../../../shared/pages/account-page.tsx'
import { CodeBox } from '../../../ui/code-box.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Notice } from '../../../ui/notice.tsx'

const codePattern = /^[\w-]{43}$/

/** Shows the answer for a program that has no address of its own; a browser extension reads it from the address. */
export function ConnectionDonePage() {
  // The server does not get the fragment.
  const isHydrated = useHydrated()
  const answer = new URLSearchParams(isHydrated ? window.location.hash.slice(1) : '')
  // Any site can link here. Another text would be shown as if it were ours.
  const code = codePattern.exec(answer.get('code') ?? '')?.[0] ?? null
  return (
    <AccountPage title="Connect a program">
      {isHydrated && <ConnectionAnswer code={code} error={answer.get('error')} />}
    </AccountPage>
  )
}

function ConnectionAnswer({ code, error }: { code: string | null; error: string | null }) {
  const notice = useAutofocus()
  if (code === null) {
    return (
      <Notice
        ref={notice}
        tone="info"
        polite
        title={error === null ? 'There is nothing to connect' : "You didn't allow the program"}
      >
        <p className="text-quiet">
          {error === null
            ? 'Start the connection again in the program.'
            : "It can't use your account. You can close this page."}
        </p>
      </Notice>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <Notice ref={notice} tone="success" polite title="The program is connected">
        <p className="text-quiet">You can close this page if the program doesn't ask for a code.</p>
      </Notice>
      <section aria-labelledby="connection-code" className="flex flex-col gap-2">
        <h2 id="connection-code" className="text-14 font-medium text-ink">
          Code
        </h2>
        <CodeBox>{code}</CodeBox>
        <CopyButton text={code} label="Copy the code" className="self-start" />
        <p className="text-14 text-quiet">
          If the program asks for a code, enter it within a minute. Never give it to anyone or enter it on a
          website.
        </p>
      </section>
    </div>
  )
}
