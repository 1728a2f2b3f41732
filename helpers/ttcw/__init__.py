"""Study 1 and 2, *Art or Artifice?*: the public data, its experts and judges of its tests."""
