/** What opens over the page, and closes by a click elsewhere and by Escape (page.js). Not for: dialogs. */
import { findAll } from "./dom.js";

export const openMenus = () => findAll("details.person[open], .copilot-menu details[open]");
