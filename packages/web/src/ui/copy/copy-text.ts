/**
 * Copies text, also where there is no clipboard API (plain http on a local network, an embedding frame).
 *
 * @param host where a hidden field may stand: inside an open modal dialog nothing outside it can be selected
 */
export async function copyText(value: string, host: HTMLElement = document.body): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value)
    return true
  } catch {
    const focused = document.activeElement
    const field = document.createElement('textarea')
    field.value = value
    field.readOnly = true
    field.className = 'fixed top-0 left-0 opacity-0'
    host.append(field)
    field.select()
    const isCopied = document.execCommand('copy')
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
    return isCopied
  }
}
