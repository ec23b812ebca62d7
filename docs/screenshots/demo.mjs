// The demo as a process: started, awaited, moved about, ended as Ctrl-C does.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const patience = 60_000 // ms until every probe has to have succeeded

// start runs the exporter's demo and returns when it has told its addresses.
export async function start(exporter) {
  const child = spawn(exporter, ['demo', '--web.listen-address=127.0.0.1:0', '--control.listen-address=127.0.0.1:0'],
    { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    if (text.includes('Ctrl-C')) break
  }
  const address = pattern => text.match(pattern)?.[1] ?? fail(`the demo did not tell its addresses:\n${text}`)
  return new Demo(child, address(/status page +(http:\S+)/), address(/'(http:[^']+)\/rtt/))
}

class Demo {
  constructor(child, url, control) {
    Object.assign(this, { child, url, control })
  }

  // succeeded waits until every probe has.
  async succeeded() {
    for (const end = Date.now() + patience; Date.now() < end; await sleep(500)) {
      const metrics = await (await fetch(this.url + 'metrics')).text()
      const values = name => [...metrics.matchAll(new RegExp(`^oranet_${name}\\{.* (\\S+)$`, 'gm'))].map(m => Number(m[1]))
      const good = values('probe_success')
      if (good.length === values('probe_missed_total').length && good.every(v => v === 1)) return
    }
    fail(`not every probe has succeeded within ${patience / 1000} s`)
  }

  // move makes a link that long, as 20ms.
  async move(link, rtt) {
    const answer = await fetch(`${this.control}/rtt?link=${link}&rtt=${rtt}`, { method: 'POST' })
    if (!answer.ok) fail(await answer.text())
  }

  async stop() {
    if (this.child.exitCode !== null) return
    this.child.kill('SIGINT')
    await once(this.child, 'exit')
  }
}

function fail(message) {
  throw new Error(message)
}
