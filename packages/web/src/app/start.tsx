import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

/** Draws the page. Its texts have to be there. */
export function start(root: HTMLElement): void {
  createRoot(root).render(<App />)
}
