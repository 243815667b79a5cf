// The component of this page, in its own thread.
import { Client } from "./client";

export const client = new Client();
