// What index.html does. A script without imports: pages opened from a disk may load no modules.
;(() => {
  const { look, report, visible } = globalThis.secondLook
  const at = (id) => document.getElementById(id)
  const canScan = 'BarcodeDetector' in globalThis

  /** No report stays under a proposal that it is not of. */
  function clear() {
    at('problem').textContent = ''
    at('result').hidden = true
  }

  function say(error) {
    clear()
    // It may repeat what a stranger wrote.
    at('problem').textContent = visible(`This cannot be read: ${error.message}`)
  }

  function show(text) {
    clear()
    try {
      const seen = look(text)
      at('report').replaceChildren(...report(seen).map(lineOf))
      at('typed').textContent = JSON.stringify(seen.typedData, null, 2)
      at('result').hidden = false
    } catch (error) {
      say(error)
    }
  }

  /** A line on its own: what of it is broken stands further in, so that it can be taken for no other line. */
  function lineOf(text) {
    const line = document.createElement('span')
    line.textContent = `${text}\n`
    // No line of a stranger begins so.
    if (/^(?:FINDINGS|HASHES|CALLS|FIELDS|CRITICAL|HIGH)\b/.test(text)) line.className = 'strong'
    return line
  }

  function take(text) {
    at('text').value = text
    show(text)
  }

  /** The text of a QR code in a picture or a frame; null where there is none. */
  async function scan(picture) {
    const [code] = await new globalThis.BarcodeDetector({ formats: ['qr_code'] }).detect(picture)
    return code ? code.rawValue : null
  }

  async function open(file) {
    if (file.size > 20_000_000) throw new Error('this file is too large.')
    if (!file.type.startsWith('image/')) return take(await file.text())
    if (!canScan) throw new Error('this browser reads no QR codes. Scan it with another program and paste the text.')
    const text = await scan(await createImageBitmap(file))
    if (text === null) throw new Error('there is no QR code in this picture.')
    take(text)
  }

  async function watch() {
    const video = at('video')
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
    video.srcObject = stream
    video.hidden = false
    await video.play()
    try {
      for (;;) {
        const text = await scan(video)
        if (text !== null) return take(text)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    } finally {
      for (const track of stream.getTracks()) track.stop()
      video.hidden = true
    }
  }

  const orSay = (work) => work.catch(say)

  at('look').addEventListener('click', () => show(at('text').value))
  at('text').addEventListener('input', clear)
  at('file').addEventListener('change', ({ target }) => {
    clear()
    if (target.files[0]) orSay(open(target.files[0]))
  })
  at('camera').addEventListener('click', async ({ target }) => {
    target.disabled = true
    await orSay(watch())
    target.disabled = false
  })
  at('camera').hidden = !canScan || !navigator.mediaDevices
})()
