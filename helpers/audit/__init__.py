import helpers

helpers.need("pandas")
