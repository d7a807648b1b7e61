import { createContext, type ReactNode, useContext } from 'react'

/** How the parts of users' texts between links are shown. By default as they are. */
export const PlainTextContext = createContext<(text: string) => ReactNode>((text) => text)

export function PlainText({ text }: { text: string }): ReactNode {
  return useContext(PlainTextContext)(text)
}
