import { guardedStorage } from './device/guarded-storage.ts'
import { locale, startLocale, startTimeZone } from './text/locale.ts'
import { loadTexts } from './text/text.ts'
import { readTheme, showTheme } from './ui/screen/theme.ts'
import './ui/tokens.css'

startLocale(guardedStorage, navigator.languages)
startTimeZone(guardedStorage)
showTheme(readTheme(guardedStorage))
document.documentElement.lang = locale.language

// Small, so that texts are asked for while the page's code, which index.html names, is still on its way.
const root = document.getElementById('root')
if (root)
  Promise.all([import('./app/start.tsx'), loadTexts()]).then(
    ([{ start }]) => start(root),
    () => {
      // No text could be loaded: index.html brings this one in every language.
      const said = document.querySelector<HTMLTemplateElement>('#not-loaded')?.content
      root.replaceChildren(said?.querySelector(`[lang="${locale.language}"]`) ?? '')
    },
  )
