// The deployed worker.
import type { Env } from "./operations";
import { serve } from "./serve";

export { Sessions } from "./sessions/object";

export default { fetch: serve } satisfies ExportedHandler<Env>;
