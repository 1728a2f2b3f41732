"""Study 1 and 2, *Art or Artifice?*: the public data and a simulated panel."""
