// Oracle's Node driver in thin mode against the simulated database. node_test.go runs it, and judges the JSON that it prints.
// DSN, USER_NAME, PASSWORD and, for TCPS, WALLET (a directory with ewallet.pem) come from the environment.
import oracledb from 'oracledb';

const options = {
  user: process.env.USER_NAME,
  password: process.env.PASSWORD,
  connectString: process.env.DSN,
};
if (process.env.WALLET) {
  options.walletLocation = process.env.WALLET;
  options.walletPassword = process.env.WALLET_PASSWORD;
}

// attempt returns the error number or the driver's code of what should fail.
async function attempt(work) {
  try {
    await work();
    return 'no error';
  } catch (err) {
    return err.code ?? err.message;
  }
}

// plain makes a value comparable as JSON.
function plain(value) {
  if (Buffer.isBuffer(value)) return value.toString('hex');
  if (value instanceof Date) return value.toISOString();
  return value;
}

// bulk fetches rows and checks each of them.
async function bulk(connection, rows, fetchArraySize) {
  const result = await connection.execute(
    `select level, rawtohex(standard_hash('s' || level, 'SHA512')), rpad('same', 20, 'x') from dual connect by level <= :n`,
    [rows], { resultSet: true, fetchArraySize });
  let n = 0, wrong = 0;
  const payloads = new Set();
  for await (const [level, payload, same] of result.resultSet) {
    n++;
    payloads.add(payload);
    if (level !== n || payload.length !== 128 || same !== 'same' + 'x'.repeat(16)) wrong++;
  }
  return { rows: n, wrong, different: payloads.size };
}

const types = [
  [`select 'X' from dual`],
  [`select 'Grüße €' from dual`],
  [`select 42, 0, -12.345, 1e20 from dual`],
  [`select null from dual`],
  [`select hextoraw('DEADBEEF') from dual`],
  [`select date '2024-02-29', cast(date '2024-02-29' as timestamp) from dual`],
  [`select :1 from dual`, [`a'b"c`]],
  [`select :1 + 1 from dual`, [41]],
  [`select :1 from dual`, [null]],
  [`select rawtohex(:1) from dual`, [Buffer.from('cafe', 'hex')]],
  [`select rpad('x', 4000, 'y') from dual`],
];

const connection = await oracledb.getConnection(options);
const out = {
  thin: connection.thin,
  version: connection.oracleServerVersionString,
  service: connection.serviceName,
  instance: connection.instanceName,
  warning: connection.warning?.message,
  types: [],
  bulk: {},
  errors: {},
};
for (const [sql, binds] of types) {
  const result = await connection.execute(sql, binds ?? []);
  out.types.push(result.rows[0].map(plain));
}
for (const size of [100, 1000, 10000]) {
  out.bulk[size] = await bulk(connection, Number(process.env.ROWS), size);
}
out.errors.unknown_table = await attempt(() => connection.execute('select 1 from no_such_table'));
out.after_error = (await connection.execute(`select 'X' from dual`)).rows[0][0];
await connection.ping();
await connection.commit();
await connection.rollback();

// Attributes travel as a piggyback in front of the next call; the statement cache re-executes.
connection.module = 'simulator';
connection.action = 'test';
connection.clientId = 'client';
connection.clientInfo = 'information';
out.reexecuted = [];
for (let i = 0; i < 3; i++) {
  out.reexecuted.push((await connection.execute('select :1 + 1 from dual', [i])).rows[0][0]);
}

connection.callTimeout = 100;
out.errors.interrupted = await attempt(() => connection.execute(`select 'slow' from dual`));
connection.callTimeout = 0;
out.after_interrupt = (await connection.execute(`select 'X' from dual`)).rows[0][0];
await connection.close();

out.errors.wrong_password = await attempt(() => oracledb.getConnection({ ...options, password: options.password + 'x' }));
out.errors.unknown_service = await attempt(() => oracledb.getConnection({ ...options, connectString: options.connectString + 'x' }));
console.log(JSON.stringify(out));
