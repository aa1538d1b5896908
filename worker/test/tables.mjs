// Creates the gate's tables once for all suites: node worker/test/tables.mjs STATE
import { migrate, scratch } from "./processes.mjs";

delete process.env.BOUNDCHECK_BUILT; // migrate would copy what an earlier run has built
const place = scratch();
migrate(place, process.argv[2]);
place.remove();
