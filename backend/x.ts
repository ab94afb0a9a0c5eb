import { migrate } from './src/db/migrate.ts';
import pg from 'pg';
const c = new pg.Client({connectionString:'postgres://postgres@127.0.0.1:55432/postgres'}); await c.connect();
await c.query('DROP DATABASE IF EXISTS hk'); await c.query('CREATE DATABASE hk'); await c.end();
console.time('migrate'); await migrate('postgres://postgres@127.0.0.1:55432/hk'); console.timeEnd('migrate');
