const STORED = 'countersign.letter-keys'

type Storage = { getItem: (key: string) => string | null; setItem: (key: string, value: string) => void }

/** Whether single letters are shortcuts. Whoever speaks to their browser, or slips, can turn them off. */
export function areLetterKeysOn(storage: Storage): boolean {
  return storage.getItem(STORED) !== 'off'
}

export function storeLetterKeys(storage: Storage, areOn: boolean): void {
  storage.setItem(STORED, areOn ? 'on' : 'off')
}
