const STORED_THEME = 'countersign.theme'

const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

type Storage = { getItem: (key: string) => string | null; setItem: (key: string, value: string) => void }

/** Reads the theme that the person chose in this browser; without a choice the system's holds. */
export function readTheme(storage: Storage): Theme {
  const stored = storage.getItem(STORED_THEME)
  return themes.find((theme) => theme === stored) ?? 'system'
}

/** Shows a theme. It is known before anything is drawn. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Keeps a choice, and shows it at once. */
export function storeTheme(storage: Storage, theme: Theme): void {
  storage.setItem(STORED_THEME, theme)
  showTheme(theme)
}
