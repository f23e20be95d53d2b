// What index.html does. A script without imports: pages opened from a disk may load no modules.
;(() => {
  const { look, report } = globalThis.secondLook
  const at = (id) => document.getElementById(id)
  const canScan = 'BarcodeDetector' in globalThis

  function show(text) {
    at('problem').textContent = ''
    at('result').hidden = true
    try {
      const seen = look(text)
      at('report').textContent = report(seen).join('\n')
      at('typed').textContent = JSON.stringify(seen.typedData, null, 2)
      at('result').hidden = false
    } catch (error) {
      at('problem').textContent = `This cannot be read: ${error.message}`
    }
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

  const orSay = (work) =>
    work.catch((error) => {
      at('problem').textContent = `This cannot be read: ${error.message}`
    })

  at('look').addEventListener('click', () => show(at('text').value))
  at('file').addEventListener('change', ({ target }) => target.files[0] && orSay(open(target.files[0])))
  at('camera').addEventListener('click', () => orSay(watch()))
  at('camera').hidden = !canScan || !navigator.mediaDevices
})()
