// Starts the component while the browser still reads the rest of the page.
import "./component";

void import("./main");
