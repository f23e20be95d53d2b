import type { Toast } from './toasts.ts'

const STORED = 'countersign.notifications'

type Storage = { getItem: (key: string) => string | null; setItem: (key: string, value: string) => void }

/** Whether this browser may show notifications, and the person wants them here. */
export type NotificationState = 'on' | 'off' | 'blocked' | 'unsupported'

export function readNotifications(storage: Storage): NotificationState {
  if (typeof Notification === 'undefined') return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  return storage.getItem(STORED) === 'on' && Notification.permission === 'granted' ? 'on' : 'off'
}

/** Asks the browser for the permission, which happens here and nowhere else: when the person wants notifications. */
export async function storeNotifications(storage: Storage, isWanted: boolean): Promise<NotificationState> {
  if (isWanted && typeof Notification !== 'undefined' && Notification.permission === 'default')
    await Notification.requestPermission()
  storage.setItem(STORED, isWanted ? 'on' : 'off')
  return readNotifications(storage)
}

/** Shows a toast outside of the browser while its window is hidden. Several tabs show one. */
export function notify(storage: Storage, { id, title, about, path }: Toast): void {
  if (!document.hidden || readNotifications(storage) !== 'on') return
  try {
    const shown = new Notification(title, { tag: id, ...(about ? { body: about } : {}) })
    shown.onclick = () => {
      window.focus()
      if (path) window.location.assign(path)
    }
  } catch {
    // Browsers of phones let only service workers notify.
  }
}
