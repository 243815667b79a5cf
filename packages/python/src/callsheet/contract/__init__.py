"""The contract of the component: a module for each interface, made from `wit/`."""
