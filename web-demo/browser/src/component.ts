// The component of this page, in a worker.
import { Client } from "./client";

export const client = new Client();
